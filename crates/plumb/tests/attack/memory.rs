//! Programs over memory: heap, arrays, strings, lists, pointers that move, blocks that end. Nearly all statements are right by
//! construction; some programs have one that is not. Sanitizers tell the truth, so statements are such that they see
//! what is wrong: nothing goes further beyond an object than its red zone, arrays inside of structures are not their
//! last members, and all memory is initialised.

use crate::oracle::Random;
use crate::sample::{Mode, Sample};
use crate::template::{ASSERTIONS, Template};
use std::fmt::Write;

const PRELUDE: &str = r"
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
struct packet { unsigned char data[4]; short pair[2][2]; int length; };
static int total(const int *a, int n) { int t = 0; for (int i = 0; i < n; i++) t += a[i]; return t; }
static void fill(int *a, int n, int v) { while (n-- > 0) *a++ = v + n; }
static int *moved(int *a, int n) { return a + n; }
static void release(void *p) { free(p); }
static int *kept(int v) { static int cell; cell = v; return &cell; }
static int *lost(int v) { int cell = v; int *p = &cell; return p; }
static int length_of(const struct node *n) { int c = 0; for (; n; n = n->next) c++; return c; }
";

/// A pointer to `int` and how far it may go, or what it is in the wrong hands.
struct Pointer {
    name: String,
    /// Elements before it and from it on; `None` where it must not be used.
    room: Option<(usize, usize)>,
    /// Pointers into the same object have the same number.
    object: usize,
    is_heap: bool,
    /// A red zone lies before the object: sanitizers put none before static ones.
    has_red_zone: bool,
}

struct Memory<'a> {
    random: &'a mut Random,
    pointers: Vec<Pointer>,
    inputs: Vec<(String, usize)>,
    /// Mistakes that may still be made.
    mistakes: usize,
    objects: usize,
    fresh: usize,
    out: String,
}

pub fn generate(random: &mut Random) -> Sample {
    let assertion = random.pick(&ASSERTIONS);
    let mistakes = usize::from(random.chance(60));
    let mut memory =
        Memory { random, pointers: Vec::new(), inputs: Vec::new(), mistakes, objects: 0, fresh: 0, out: String::new() };
    for _ in 0..1 + memory.random.below(2) {
        let (name, bound) = (memory.name("in"), memory.random.pick(&[2, 3, 4]));
        memory.line(&format!("unsigned {name} = @in uchar {bound}@;"));
        memory.inputs.push((name, bound));
    }
    memory.line("int sum = 0;");
    memory.new_pointer();
    for _ in 0..2 + memory.random.below(4) {
        memory.statement();
    }
    memory.end();
    let text = format!("{PRELUDE}\n@main@\n{{\n{}    sum &= 63;\n    @check 0 sum@;\n    return 0;\n}}\n", memory.out);
    let flags = &["--checks", "pointer,bounds,double-free"];
    Sample { template: Template { text, assertion }, checks: 1, mode: Mode::Fork, flags }
}

impl Memory<'_> {
    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "    {text}");
    }

    /// Whether to do it wrong, which happens once at most.
    fn errs(&mut self) -> bool {
        let errs = self.mistakes > 0 && self.random.chance(25);
        self.mistakes -= usize::from(errs);
        errs
    }

    /// A condition on an input that some values fulfil.
    fn when(&mut self) -> String {
        let (input, bound) = self.random.pick(&self.inputs);
        let value = self.random.below(bound);
        let op = self.random.pick(&["==", "!=", ">="]);
        format!("{input} {op} {value}")
    }

    /// An index below the size, or one out of bounds for some inputs.
    fn index(&mut self, size: usize, has_red_zone: bool) -> String {
        if self.errs() {
            return match self.random.below(4) {
                0 => size.to_string(),
                1 => format!("({} ? {size} : 0)", self.when()),
                2 if has_red_zone => format!("({} ? -1 : {})", self.when(), size - 1),
                _ => format!("(int)({} + {})", self.random.pick(&self.inputs).0, size - 1),
            };
        }
        let (input, bound) = self.random.pick(&self.inputs);
        match self.random.below(3) {
            0 if bound <= size => input,
            1 => format!("({input} % {size})"),
            _ => self.random.below(size).to_string(),
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(3) {
            0 => self.random.pick(&self.inputs).0,
            1 => "sum".to_string(),
            _ => self.random.below(9).to_string(),
        }
    }

    /// A usable pointer's position in the list.
    fn usable(&mut self) -> usize {
        let all: Vec<usize> =
            (0..self.pointers.len()).filter(|&i| self.pointers[i].room.is_some_and(|(_, after)| after > 0)).collect();
        if all.is_empty() {
            self.new_pointer();
            return self.pointers.len() - 1;
        }
        self.random.pick(&all)
    }

    fn new_pointer(&mut self) {
        let (name, size) = (self.name("p"), 1 + self.random.below(4));
        self.objects += 1;
        let kind = self.random.below(6);
        let is_heap = match kind {
            0 => {
                let array = self.name("a");
                self.line(&format!("int {array}[{size}] = {{ 1 }}; int *{name} = {array};"));
                false
            }
            1 => {
                let array = self.name("a");
                self.line(&format!("static int {array}[{size}]; int *{name} = {array};"));
                false
            }
            2 => {
                self.line(&format!("int *{name} = __builtin_alloca({size} * sizeof(int)); fill({name}, {size}, 2);"));
                false
            }
            3 => {
                self.line(&format!("int *{name} = malloc({size} * sizeof *{name}); fill({name}, {size}, 1);"));
                true
            }
            4 => {
                let length = self.name("n");
                let input = self.random.pick(&self.inputs).0;
                self.line(&format!("unsigned {length} = {input} + {size};"));
                self.line(&format!("int *{name} = malloc({length} * sizeof(int));"));
                let bound = if self.errs() { format!("<= {length}") } else { format!("< {length}") };
                self.line(&format!("for (unsigned i = 0; i {bound}; i++) {name}[i] = i;"));
                true
            }
            _ => {
                self.line(&format!("int *{name} = calloc({size}, sizeof *{name});"));
                true
            }
        };
        self.pointers.push(Pointer {
            name,
            room: Some((0, size)),
            object: self.objects,
            is_heap,
            has_red_zone: kind != 1,
        });
    }

    fn statement(&mut self) {
        match self.random.below(16) {
            0..=1 => self.new_pointer(),
            12 => self.returned(),
            13 => self.perhaps_empty(),
            14 => self.pointer_to_pointer(),
            2..=4 => self.access(),
            5 => self.alias(),
            6 => self.release(),
            7 => self.list(),
            8 => self.string(),
            9 => self.packet(),
            10 => self.block(),
            11 => self.resize(),
            _ => self.call(),
        }
    }

    fn access(&mut self) {
        let at = self.usable();
        let (_, after) = self.pointers[at].room.expect("it is usable");
        let name = self.pointers[at].name.clone();
        let index = self.index(after, self.pointers[at].has_red_zone);
        let value = self.value();
        let text = match self.random.below(5) {
            0 => format!("{name}[{index}] = {value};"),
            1 => format!("*({name} + {index}) += {value};"),
            2 => format!("sum += *moved({name}, {index});"),
            _ => format!("sum += {name}[{index}];"),
        };
        match self.random.chance(40) {
            true => {
                let when = self.when();
                self.line(&format!("if ({when}) {text}"));
            }
            false => self.line(&text),
        }
    }

    fn alias(&mut self) {
        let at = self.usable();
        let (before, after) = self.pointers[at].room.expect("it is usable");
        let Pointer { object, has_red_zone, .. } = self.pointers[at];
        let from = self.pointers[at].name.clone();
        let step = self.random.below(after + 1);
        let name = self.name("q");
        self.line(&format!("int *{name} = {from} + {step};"));
        let room = Some((before + step, after - step));
        if step > 0 {
            let back = if has_red_zone { self.index(step, true) } else { "0".to_string() };
            self.line(&format!("sum += {name}[-1 - (int){back}];"));
        }
        let is_heap = self.pointers[at].is_heap && step == 0;
        self.pointers.push(Pointer { name, room, object, is_heap, has_red_zone });
    }

    fn release(&mut self) {
        let at = self.usable();
        let (name, object, is_heap) =
            (self.pointers[at].name.clone(), self.pointers[at].object, self.pointers[at].is_heap);
        let how = self.random.pick(&["free", "release"]);
        match (is_heap, self.errs()) {
            (true, true) => {
                let when = self.when();
                let wrong = match self.random.below(4) {
                    0 => format!("if ({when}) {how}({name}); {how}({name});"),
                    1 => format!("{how}({name}); if ({when}) {name}[0] = 1;"),
                    2 => format!("{how}({name} + ({when}));"),
                    _ => format!("{how}({name}); {name} = 0; if ({when}) sum += *{name};"),
                };
                self.line(&wrong);
            }
            (true, false) if self.random.chance(50) => self.line(&format!("{how}({name}); {name} = 0; {how}({name});")),
            (true, false) => self.line(&format!("{how}({name});")),
            (false, true) => {
                let when = self.when();
                self.line(&format!("if ({when}) {how}({name});"));
            }
            (false, false) => return self.line(&format!("if (!{name}) {how}({name});")),
        }
        for pointer in self.pointers.iter_mut().filter(|p| p.object == object) {
            pointer.room = None;
        }
    }

    fn list(&mut self) {
        let (list, input) = (self.name("list"), self.random.pick(&self.inputs).0);
        let (count, value) = (format!("{input} + {}", self.random.below(2)), self.value());
        self.line(&format!("struct node *{list} = 0;"));
        self.line(&format!("for (unsigned i = 0; i < {count}; i++) {{"));
        self.line("    struct node *n = malloc(sizeof *n);");
        self.line(&format!("    n->value = {value}; n->next = {list}; {list} = n;"));
        self.line("}");
        let guard = if self.errs() { String::new() } else { format!("if ({list}) ") };
        self.line(&format!("{guard}sum += {list}->value;"));
        self.line(&format!("sum += length_of({list});"));
        match self.errs() {
            true => self.line(&format!("for (struct node *n = {list}; n; n = n->next) free(n);")),
            false => {
                self.line(&format!("while ({list}) {{ struct node *n = {list}->next; free({list}); {list} = n; }}"))
            }
        }
    }

    fn string(&mut self) {
        let (text, name) = (self.random.pick(&["a", "bcd", "", "plumb"]), self.name("s"));
        let when = self.when();
        let one = if self.errs() { format!("({when})") } else { "1".to_string() };
        match self.random.below(7) {
            0 => {
                // An address sanitizer gives a byte to who asks for none.
                let text = if text.is_empty() { "q" } else { text };
                self.line(&format!("char *{name} = malloc(strlen(\"{text}\") + {one}); strcpy({name}, \"{text}\");"));
                self.line(&format!("sum += strlen({name}); free({name});"));
            }
            1 => {
                let size = text.len() + 2;
                self.line(&format!("char {name}[{size}] = \"{text}\";"));
                let tail = if self.errs() { "xy" } else { "x" };
                self.line(&format!("if ({when}) strcat({name}, \"{tail}\");"));
                self.line(&format!("sum += {name}[strlen({name})] + strlen({name});"));
            }
            2 => {
                let size = text.len() + 1;
                self.line(&format!("char {name}[{size}];"));
                let more = if self.errs() { format!(" + ({when})") } else { String::new() };
                self.line(&format!("memset({name}, 'a', {size}{more}); {name}[{size} - 1] = 0;"));
                self.line(&format!("sum += strlen({name}) + ({name}[0] == 'a');"));
            }
            3 => {
                let more = if self.errs() { format!(" + ({when})") } else { String::new() };
                self.line(&format!("char {name}[5]; strncpy({name}, \"{text}\", 5{more}); {name}[4] = 0;"));
                self.line(&format!("sum += strlen({name}) + (strcmp({name}, \"bcd\") == 0);"));
            }
            4 => {
                let more = if self.errs() { format!(" + ({when})") } else { String::new() };
                self.line(&format!("char {name}[6] = \"{text}\"; memmove({name} + 1, {name}, 5{more});"));
                self.line(&format!("sum += {name}[1] + {name}[5];"));
            }
            5 => {
                let guard = if self.errs() { String::new() } else { format!("if ({name}) ") };
                self.line(&format!(
                    "const char *{name} = strchr(\"{text}\", {when} ? 'c' : 'a'); {guard}sum += *{name};"
                ));
            }
            _ => {
                let (size, from) = (text.len() + 1, self.name("from"));
                let input = self.random.pick(&self.inputs).0;
                self.line(&format!("const char *{from} = \"{text}\"; char {name}[{size}];"));
                let count = if self.errs() { format!("{size} + {input}") } else { size.to_string() };
                self.line(&format!("memcpy({name}, {from}, {count}); sum += {name}[0];"));
            }
        }
    }

    fn packet(&mut self) {
        let (name, value) = (self.name("k"), self.value());
        let is_heap = self.random.chance(50);
        match is_heap {
            true => self.line(&format!("struct packet *{name} = calloc(1, sizeof *{name});")),
            false => self.line(&format!("struct packet {name}_object = {{{{ 1, 2 }}}}, *{name} = &{name}_object;")),
        }
        let (index, row, column) = (self.index(4, true), self.index(2, true), self.index(2, true));
        self.line(&format!("{name}->data[{index}] = {value};"));
        self.line(&format!("{name}->pair[{row}][{column}]++;"));
        self.line(&format!("sum += {name}->data[1] + {name}->pair[1][0] + {name}->length;"));
        if is_heap {
            self.line(&format!("free({name});"));
        }
    }

    /// A variable whose life ends before that of a pointer to it.
    fn block(&mut self) {
        let (name, value) = (self.name("b"), self.value());
        self.line(&format!("int *{name} = &sum;"));
        let when = self.when();
        let back = if self.errs() { String::new() } else { format!(" {name} = &sum;") };
        self.line(&format!(
            "if ({when}) {{ int inner = {value}; {name} = &inner; *{name} += 1; sum += inner;{back} }}"
        ));
        self.line(&format!("*{name} += 2;"));
    }

    /// The address of a variable that outlives the call, or of one that does not.
    fn returned(&mut self) {
        let (name, value) = (self.name("d"), self.value());
        let function = if self.errs() { "lost" } else { "kept" };
        self.line(&format!("int *{name} = {function}({value});"));
        let when = self.when();
        self.line(&format!("if ({when}) sum += *{name};"));
    }

    /// A block of as many bytes as an input says, which may be none.
    fn perhaps_empty(&mut self) {
        let (name, input) = (self.name("e"), self.random.pick(&self.inputs).0);
        self.line(&format!("unsigned char *{name} = malloc({input});"));
        self.line(&format!("for (unsigned i = 0; i < {input}; i++) {name}[i] = i;"));
        match self.errs() {
            true => self.line(&format!("sum += {name}[{input}] = 1;")),
            false => self.line(&format!("if ({input} > 0) sum += {name}[{input} - 1];")),
        }
        self.line(&format!("free({name});"));
    }

    fn pointer_to_pointer(&mut self) {
        let (name, when) = (self.name("pp"), self.when());
        let (one, other) = (self.usable(), self.usable());
        let (one, other) = (self.pointers[one].name.clone(), self.pointers[other].name.clone());
        self.line(&format!("int **{name} = {when} ? &{one} : &{other};"));
        let (index, value) = (self.index(1, false), self.value());
        self.line(&format!("(*{name})[{index}] += {value}; sum += **{name};"));
    }

    fn resize(&mut self) {
        let (name, size) = (self.name("r"), 1 + self.random.below(3));
        self.line(&format!("int *{name} = malloc({size} * sizeof(int)); fill({name}, {size}, 3);"));
        let (keep, when) = (self.name("old"), self.when());
        self.line(&format!("int *{keep} = {name};"));
        self.line(&format!("if ({when}) {name} = realloc({name}, {} * sizeof(int));", size + 1));
        let read = if self.errs() { &keep } else { &name };
        self.line(&format!("sum += {read}[{}]; free({name});", size - 1));
    }

    fn call(&mut self) {
        let at = self.usable();
        let (_, after) = self.pointers[at].room.expect("it is usable");
        let name = self.pointers[at].name.clone();
        let when = self.when();
        let more = if self.errs() { format!(" + ({when})") } else { String::new() };
        match self.random.chance(50) {
            true => self.line(&format!("sum += total({name}, {after}{more});")),
            false => self.line(&format!("fill({name}, {after}{more}, sum);")),
        }
    }

    /// What is left on the heap goes, each block once.
    fn end(&mut self) {
        let mut gone = Vec::new();
        for at in 0..self.pointers.len() {
            let Pointer { name, object, is_heap, room, .. } = &self.pointers[at];
            if *is_heap && room.is_some() && !gone.contains(object) {
                gone.push(*object);
                let text = format!("free({name});");
                self.line(&text);
            }
        }
    }
}
