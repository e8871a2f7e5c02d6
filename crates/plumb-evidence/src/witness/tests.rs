use super::{quoted, time, uuid};
use std::time::{Duration, UNIX_EPOCH};

#[test]
fn moments_are_written_in_universal_time() {
    let at = |seconds| time(UNIX_EPOCH + Duration::from_secs(seconds));
    assert_eq!(at(0), "1970-01-01T00:00:00Z");
    assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
    assert_eq!(at(1_700_000_000), "2023-11-14T22:13:20Z");
}

#[test]
fn strings_are_quoted_for_yaml() {
    assert_eq!(quoted("a \"b\"\\\n\u{1}"), "\"a \\\"b\\\"\\\\\\n\\x01\"");
}

#[test]
fn identifiers_have_their_version_and_variant() {
    let text = uuid(&[0xff; 32]);
    assert_eq!(text, "ffffffff-ffff-4fff-bfff-ffffffffffff");
}
