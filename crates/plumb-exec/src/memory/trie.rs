//! A persistent table of pages: a tree of fan-out 32 that snapshots share.
//!
//! Cloning copies one reference. A write after that copies the path to its page: some 500 bytes a level.
//! Whole subtrees can be absent (`Empty`) or untouched but valid (`Zero`), so that huge objects cost nothing at first.

use super::page::{Content, PAGE_SIZE, Page};
use std::sync::Arc;

const FAN_BITS: u32 = 5;
const FAN: usize = 1 << FAN_BITS;

#[derive(Clone)]
enum Child {
    /// No byte is valid.
    Empty,
    /// All bytes are valid and zero.
    Zero,
    Node(Arc<Node>),
    Page(Arc<Page>),
}

#[derive(Clone)]
struct Node {
    children: [Child; FAN],
}

/// What a page is, for reading.
pub enum View {
    Empty,
    Zero,
    Page(*mut Content),
}

/// The state that a whole range of pages is put into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    Empty,
    Zero,
}

/// Pages of one contiguous range of addresses, numbered from 0.
#[derive(Clone)]
pub struct Table {
    root: Child,
    /// Levels of nodes above the pages.
    depth: u32,
    pages: u64,
}

impl Table {
    pub fn new(pages: u64) -> Table {
        let mut depth = 1;
        while pages > 1 << (FAN_BITS * depth) {
            depth += 1;
        }
        Table { root: Child::Empty, depth, pages }
    }

    pub fn pages(&self) -> u64 {
        self.pages
    }

    pub fn view(&self, index: u64) -> View {
        let mut child = &self.root;
        let mut level = self.depth;
        loop {
            match child {
                Child::Empty => return View::Empty,
                Child::Zero => return View::Zero,
                Child::Page(page) => return View::Page(page.as_ptr()),
                Child::Node(node) => {
                    level -= 1;
                    child = &node.children[slot(index, level)];
                }
            }
        }
    }

    /// The page, unshared. Counts it in `pages` if it had to be made.
    pub fn unshared(&mut self, index: u64, pages: &mut u64) -> *mut Content {
        let mut child = &mut self.root;
        let mut level = self.depth;
        while level > 0 {
            level -= 1;
            if let Child::Empty | Child::Zero = child {
                *child = Child::Node(Arc::new(Node { children: std::array::from_fn(|_| child.clone()) }));
            }
            let Child::Node(node) = child else { unreachable!("pages lie at the lowest level") };
            child = &mut Arc::make_mut(node).children[slot(index, level)];
        }
        if let Child::Empty | Child::Zero = child {
            *child = Child::Page(Page::new(matches!(child, Child::Zero)));
            *pages += 1;
        }
        let Child::Page(page) = child else { unreachable!("nodes lie above the lowest level") };
        Arc::make_mut(page).as_ptr()
    }

    /// Puts the pages `first..=last` into one state and takes those that were dropped off the count.
    pub fn fill(&mut self, first: u64, last: u64, fill: Fill, pages: &mut u64) {
        fill_child(&mut self.root, self.depth, first, last, fill, pages);
    }

    /// Whether every byte of the pages `first..=last` is valid.
    pub fn all_valid(&self, first: u64, last: u64) -> bool {
        valid_child(&self.root, self.depth, first, last)
    }

    /// Calls `f` with every page that has content of its own, in order.
    pub fn each_page(&self, f: &mut impl FnMut(u64, *const Content)) {
        each_child(&self.root, self.depth, 0, f);
    }
}

fn slot(index: u64, level: u32) -> usize {
    (index >> (FAN_BITS * level)) as usize % FAN
}

fn fill_child(child: &mut Child, level: u32, first: u64, last: u64, fill: Fill, pages: &mut u64) {
    let span = 1u64 << (FAN_BITS * level);
    if matches!((&child, fill), (Child::Empty, Fill::Empty) | (Child::Zero, Fill::Zero)) {
        return;
    }
    if first == 0 && last == span - 1 {
        each_child(child, level, 0, &mut |_, _| *pages -= 1);
        *child = match fill {
            Fill::Empty => Child::Empty,
            Fill::Zero => Child::Zero,
        };
        return;
    }
    if let Child::Empty | Child::Zero = child {
        *child = Child::Node(Arc::new(Node { children: std::array::from_fn(|_| child.clone()) }));
    }
    let Child::Node(node) = child else { unreachable!("a page is covered whole") };
    let node = Arc::make_mut(node);
    let below = span >> FAN_BITS;
    for i in first / below..=last / below {
        let start = i * below;
        let from = first.max(start) - start;
        let to = last.min(start + below - 1) - start;
        fill_child(&mut node.children[i as usize], level - 1, from, to, fill, pages);
    }
    // Addresses that come and go must leave nothing behind.
    if fill == Fill::Empty && node.children.iter().all(|c| matches!(c, Child::Empty)) {
        *child = Child::Empty;
    }
}

fn valid_child(child: &Child, level: u32, first: u64, last: u64) -> bool {
    match child {
        Child::Empty => false,
        Child::Zero => true,
        // SAFETY: the page is alive and nothing writes it during the call.
        Child::Page(page) => unsafe { &*page.as_ptr() }.all_valid(0, PAGE_SIZE as usize),
        Child::Node(node) => {
            let below = 1u64 << (FAN_BITS * (level - 1));
            (first / below..=last / below).all(|i| {
                let start = i * below;
                let (from, to) = (first.max(start) - start, last.min(start + below - 1) - start);
                valid_child(&node.children[i as usize], level - 1, from, to)
            })
        }
    }
}

fn each_child(child: &Child, level: u32, base: u64, f: &mut impl FnMut(u64, *const Content)) {
    match child {
        Child::Empty | Child::Zero => {}
        Child::Page(page) => f(base, page.as_ptr()),
        Child::Node(node) => {
            for (i, child) in node.children.iter().enumerate() {
                each_child(child, level - 1, base + ((i as u64) << (FAN_BITS * (level - 1))), f);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_any_shape_are_filled_exactly() {
        let mut pages = 0;
        let mut table = Table::new(5000);
        let mut model = vec![0u8; 5000];
        let mut seed = 7u64;
        for round in 0..400 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let first = (seed >> 33) % 5000;
            let last = first + (seed >> 13) % (5000 - first);
            match round % 3 {
                0 => {
                    table.fill(first, last, Fill::Zero, &mut pages);
                    model[first as usize..=last as usize].fill(1);
                }
                1 => {
                    table.fill(first, last, Fill::Empty, &mut pages);
                    model[first as usize..=last as usize].fill(0);
                }
                _ => {
                    table.unshared(first, &mut pages);
                    model[first as usize] = 2;
                }
            }
            let own = model.iter().filter(|m| **m == 2).count() as u64;
            assert_eq!(pages, own);
            for (i, state) in model.iter().enumerate() {
                let seen = match table.view(i as u64) {
                    View::Empty => 0,
                    View::Zero => 1,
                    View::Page(_) => 2,
                };
                assert_eq!(seen, *state, "page {i} in round {round}");
            }
            let is_valid = model[first as usize..=last as usize].iter().all(|m| *m == 1);
            let has_pages = model[first as usize..=last as usize].contains(&2);
            assert!(has_pages || table.all_valid(first, last) == is_valid, "{first}..={last} in round {round}");
        }
    }

    #[test]
    fn a_copy_keeps_its_content() {
        let (mut pages, mut table) = (0, Table::new(100));
        // SAFETY: the page has just been unshared and nothing else refers to it.
        unsafe { (*table.unshared(70, &mut pages)).data[5] = 1 };
        let copy = table.clone();
        // SAFETY: as above; the copy refers to another page from here on.
        unsafe { (*table.unshared(70, &mut pages)).data[5] = 2 };
        let read = |t: &Table| match t.view(70) {
            // SAFETY: nothing writes the page while it is read.
            View::Page(p) => unsafe { (*p).data[5] },
            View::Empty | View::Zero => 0,
        };
        assert_eq!((read(&copy), read(&table)), (1, 2));
    }
}
