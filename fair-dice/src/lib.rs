//! Fair dice between two players who do not trust each other.
