//! Where a program's output goes.

use std::io::Write;

/// The sink of `printf`.
#[derive(Default)]
pub enum Output {
    #[default]
    Discard,
    Capture(Vec<u8>),
    /// Passed on in blocks; errors of the writer are ignored, as C programs do.
    Writer(Box<dyn Write + Send>, Vec<u8>),
}

const BLOCK: usize = 1 << 16;

impl Output {
    pub fn writer(writer: impl Write + Send + 'static) -> Output {
        Output::Writer(Box::new(writer), Vec::new())
    }

    pub fn stdout() -> Output {
        Output::writer(std::io::stdout())
    }

    pub fn write(&mut self, bytes: &[u8]) {
        match self {
            Output::Discard => {}
            Output::Capture(buffer) => buffer.extend_from_slice(bytes),
            Output::Writer(_, buffer) => {
                buffer.extend_from_slice(bytes);
                if buffer.len() >= BLOCK {
                    self.flush();
                }
            }
        }
    }

    pub fn flush(&mut self) {
        if let Output::Writer(writer, buffer) = self {
            let _ = writer.write_all(buffer);
            let _ = writer.flush();
            buffer.clear();
        }
    }

    /// What was captured so far.
    pub fn captured(&self) -> &[u8] {
        match self {
            Output::Capture(buffer) => buffer,
            Output::Discard | Output::Writer(..) => &[],
        }
    }
}
