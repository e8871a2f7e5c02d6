//! Objects keep out of the addresses of devices: what a program reads there is no object's, which is assumed of every
//! machine.

use super::layout::Segment;
use super::page::PAGE_SIZE;
use plumb_ir::program::DeviceRange;

/// The largest part of a segment in whole pages that no device has. Ranges are in order and do not overlap.
pub fn free_part(segment: Segment, devices: &[DeviceRange]) -> Option<Segment> {
    let mut best: Option<Segment> = None;
    let mut from = segment.base;
    let ends = devices.iter().map(|d| (d.start, d.end)).chain([(segment.end(), segment.end())]);
    for (start, end) in ends {
        // A page stays between the last object and the device, since pointers may point just past an object.
        let is_device = start < segment.end();
        let to = if is_device { (start / PAGE_SIZE).saturating_sub(1) * PAGE_SIZE } else { segment.end() };
        let size = to.min(segment.end()).saturating_sub(from);
        if size > 0 && best.is_none_or(|b| size > b.size) {
            best = Some(Segment { base: from, size });
        }
        from = from.max(end.checked_next_multiple_of(PAGE_SIZE)?);
    }
    best
}

/// The device that an object would touch, if it were there; the byte just past it counts.
pub fn device_at(base: u64, size: u64, devices: &[DeviceRange]) -> Option<DeviceRange> {
    let end = base.saturating_add(size);
    devices.iter().copied().find(|d| d.start <= end && base < d.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_part_is_taken() {
        let page = PAGE_SIZE;
        let segment = Segment { base: 16 * page, size: 64 * page };
        let range = |start: u64, end: u64| DeviceRange { start: start * page, end: end * page };
        let free = |devices: &[DeviceRange]| free_part(segment, devices).map(|s| (s.base / page, s.end() / page));
        assert_eq!(free(&[]), Some((16, 80)));
        assert_eq!(free(&[range(0, 4), range(90, 91)]), Some((16, 80)));
        assert_eq!(free(&[range(20, 21)]), Some((21, 80)));
        assert_eq!(free(&[range(70, 71)]), Some((16, 69)));
        assert_eq!(free(&[range(30, 32), range(40, 60)]), Some((60, 80)));
        assert_eq!(free(&[range(10, 100)]), None);
    }
}
