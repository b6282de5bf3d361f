//! Dates and times: `java.time` and its predecessors.
//!
//! Comes in: calls on dates, times and amounts. Goes out: values of the ISO calendar, by pure arithmetic. Never here:
//! the time of day, which is in `environment`.

pub mod adjusters;
pub mod amounts;
pub mod calendar;
pub mod date_constants;
pub mod date_makers;
pub mod date_values;
pub mod date_zones;
pub mod dates;
pub mod formats;
pub mod old_dates;
pub mod temporal;
pub mod temporal_fields;
pub mod temporal_spans;
pub mod time_units;
pub mod zone_makers;
