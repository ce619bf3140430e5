use crate::{Chances, INPUTS, Inputs};
use std::fmt;

/// How many numbers a network answers: the fields of [`Chances`].
pub const OUTPUTS: usize = 5;

/// A network of one hidden layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    hidden: usize,
    /// Weights of the hidden layer, all hidden units of one input together.
    w1: Vec<f32>,
    b1: Vec<f32>,
    /// Weights of the outputs, all hidden units of one output together.
    w2: Vec<f32>,
    b2: [f32; OUTPUTS],
}

/// Why bytes are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// They were made for another vector of inputs.
    OtherInputs(u32),
    /// Too few or too many.
    Length,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::OtherInputs(found) => {
                write!(f, "the weights are for {found} inputs, this program has {INPUTS}")
            }
            WeightsError::Length => write!(f, "the weights have a wrong length"),
        }
    }
}

impl std::error::Error for WeightsError {}

impl Net {
    /// A network of small weights drawn by `random`, which answers numbers in 0 … 1.
    pub fn new(hidden: usize, mut random: impl FnMut() -> f32) -> Net {
        let mut draw =
            |len: usize, scale: f32| (0..len).map(|_| (random() - 0.5) * scale).collect::<Vec<_>>();
        Net {
            hidden,
            w1: draw(INPUTS * hidden, 0.2),
            b1: draw(hidden, 0.2),
            w2: draw(OUTPUTS * hidden, 0.2),
            b2: [0.0, -1.0, -3.0, -1.0, -3.0],
        }
    }

    /// The number of hidden units.
    #[must_use]
    pub const fn hidden(&self) -> usize {
        self.hidden
    }

    /// All weights, for training: hidden weights, hidden biases, output weights, output biases.
    pub fn parameters_mut(&mut self) -> [&mut [f32]; 4] {
        [&mut self.w1, &mut self.b1, &mut self.w2, &mut self.b2]
    }

    /// Fills `hidden` with the activations of the hidden layer and answers the outputs.
    pub fn forward(&self, inputs: &Inputs, hidden: &mut Vec<f32>) -> [f32; OUTPUTS] {
        hidden.clear();
        hidden.extend_from_slice(&self.b1);
        for (&input, weights) in inputs.0.iter().zip(self.w1.chunks_exact(self.hidden)) {
            if input == 0.0 {
                continue;
            }
            if input == 1.0 {
                for (sum, weight) in hidden.iter_mut().zip(weights) {
                    *sum += weight;
                }
            } else {
                for (sum, weight) in hidden.iter_mut().zip(weights) {
                    *sum += input * weight;
                }
            }
        }
        for it in hidden.iter_mut() {
            *it = 0.5 + 0.5 * *it / (1.0 + it.abs());
        }
        std::array::from_fn(|output| {
            let weights = &self.w2[output * self.hidden..][..self.hidden];
            logistic(self.b2[output] + dot(hidden, weights))
        })
    }

    /// The chances that the network gives the side on roll.
    pub fn chances(&self, inputs: &Inputs, hidden: &mut Vec<f32>) -> Chances {
        Chances::from_array(self.forward(inputs, hidden))
    }

    /// One step of gradient descent towards `target`, by the logistic loss. `rate` per output.
    pub fn learn(
        &mut self,
        inputs: &Inputs,
        target: &[f32; OUTPUTS],
        rate: f32,
        hidden: &mut Vec<f32>,
        slope: &mut Vec<f32>,
    ) -> f32 {
        let outputs = self.forward(inputs, hidden);
        slope.clear();
        slope.resize(self.hidden, 0.0);
        let mut loss = 0.0;
        for output in 0..OUTPUTS {
            let error = target[output] - outputs[output];
            loss += error * error;
            let weights = &mut self.w2[output * self.hidden..][..self.hidden];
            for ((slope, weight), &unit) in slope.iter_mut().zip(weights).zip(hidden.iter()) {
                *slope += error * *weight;
                *weight += rate * error * unit;
            }
            self.b2[output] += rate * error;
        }
        for ((slope, &unit), bias) in slope.iter_mut().zip(hidden.iter()).zip(&mut self.b1) {
            // The slope of 0.5 + 0.5 x / (1 + |x|), from its value.
            let rest = 0.5 - (unit - 0.5).abs();
            *slope *= 2.0 * rest * rest * rate;
            *bias += *slope;
        }
        for (&input, weights) in inputs.0.iter().zip(self.w1.chunks_exact_mut(self.hidden)) {
            if input == 0.0 {
                continue;
            }
            for (weight, slope) in weights.iter_mut().zip(slope.iter()) {
                *weight += input * slope;
            }
        }
        loss
    }

    /// All weights as bytes, little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&(INPUTS as u32).to_le_bytes());
        bytes.extend_from_slice(&(self.hidden as u32).to_le_bytes());
        for part in [&self.w1[..], &self.b1, &self.w2, &self.b2] {
            bytes.extend(part.iter().flat_map(|it| it.to_le_bytes()));
        }
        bytes
    }

    /// Reads what [`Net::to_bytes`] writes.
    ///
    /// # Errors
    /// Says why the bytes are no weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, WeightsError> {
        let (head, rest) = bytes.split_at_checked(8).ok_or(WeightsError::Length)?;
        let number =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        if number(0) as usize != INPUTS {
            return Err(WeightsError::OtherInputs(number(0)));
        }
        let hidden = number(4) as usize;
        let len = hidden
            .checked_mul(INPUTS + 1 + OUTPUTS)
            .and_then(|it| it.checked_add(OUTPUTS))
            .ok_or(WeightsError::Length)?;
        if rest.len() % 4 != 0 || rest.len() / 4 != len {
            return Err(WeightsError::Length);
        }
        let mut numbers =
            rest.chunks_exact(4).map(|it| f32::from_le_bytes([it[0], it[1], it[2], it[3]]));
        let mut take = |len: usize| numbers.by_ref().take(len).collect::<Vec<_>>();
        let (w1, b1, w2) = (take(INPUTS * hidden), take(hidden), take(OUTPUTS * hidden));
        let b2 = take(OUTPUTS).try_into().map_err(|_| WeightsError::Length)?;
        Ok(Net { hidden, w1, b1, w2, b2 })
    }
}

/// Eight sums side by side, so that the order of additions is the same on every machine.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f32>() + rest
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x.clamp(-30.0, 30.0)).exp())
}
