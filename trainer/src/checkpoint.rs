use bot::{BearOff, Net, Nets};
use std::io::Write;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/checkpoints"))
}

/// The networks as the latest stage left them, or new ones.
pub(crate) fn load(
    hidden: (usize, usize),
    mut random: impl FnMut() -> f32,
) -> Result<Nets, String> {
    let mut net = |name: &str, hidden: usize| match std::fs::read(folder().join(name)) {
        Ok(bytes) => Net::from_bytes(&bytes).map_err(|error| format!("{name}: {error}")),
        Err(_) => Ok(Net::new(hidden, &mut random)),
    };
    Ok(Nets::new(net("contact.f32", hidden.0)?, net("race.f32", hidden.1)?, BearOff::new()))
}

/// Writes both networks, each in one step, so that a cut leaves the old or the new.
pub(crate) fn save(nets: &Nets) -> Result<(), String> {
    for (name, net) in [("contact.f32", &nets.contact), ("race.f32", &nets.race)] {
        let path = folder().join(name);
        let new = folder().join(format!("{name}.new"));
        std::fs::write(&new, net.to_bytes())
            .and_then(|()| std::fs::rename(&new, &path))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Adds a line to the log of training and shows it.
pub(crate) fn log(line: &str) -> Result<(), String> {
    println!("{line}");
    let path = folder().join("log.jsonl");
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    file.and_then(|mut file| writeln!(file, "{line}"))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// What the log says of a field so far, latest first.
pub(crate) fn logged(field: &str) -> Option<f64> {
    let text = std::fs::read_to_string(folder().join("log.jsonl")).ok()?;
    text.lines()
        .rev()
        .find_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()?.get(field)?.as_f64())
}
