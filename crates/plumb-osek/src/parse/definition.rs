//! IMPLEMENTATION sections: the types, ranges and defaults of attributes.

use super::{Parsed, Parser};
use crate::ast::{
    AttributeDefinition, AttributeType, Default, Enumerator, IntegerRange, Name, ObjectDefinition, ValueKind,
};
use crate::lex::TokenKind;

impl Parser<'_> {
    pub(super) fn object_definition(&mut self) -> Parsed<ObjectDefinition> {
        let kind = self.name("a kind of object, such as `TASK`")?;
        self.multiplicity()?;
        let attributes = self.block(Self::attribute_definition)?;
        self.end(&format!("the definition of {}", kind.text))?;
        Some(ObjectDefinition { kind, attributes })
    }

    /// `[]`
    fn multiplicity(&mut self) -> Parsed<bool> {
        if !self.eat('[') {
            return Some(false);
        }
        self.expect(']', "`[`")?;
        Some(true)
    }

    fn attribute_definition(&mut self) -> Parsed<AttributeDefinition> {
        let type_name = self.name("the type of an attribute, such as `UINT32`")?;
        let with_auto = self.eat_word("WITH_AUTO");
        let ty = self.attribute_type(&type_name)?;
        let name = self.name("the name of the attribute")?;
        let multiple = self.multiplicity()?;
        let default = self.default()?;
        self.end(&format!("the definition of `{}`", name.text))?;
        Some(AttributeDefinition { name, ty, with_auto, multiple, default })
    }

    /// The rest of a type behind its name.
    fn attribute_type(&mut self, name: &Name) -> Parsed<AttributeType> {
        let integer = |bits, signed, range| AttributeType::Integer { bits, signed, range };
        Some(match name.text.as_str() {
            "UINT32" => integer(32, false, self.integer_range()?),
            "INT32" => integer(32, true, self.integer_range()?),
            "UINT64" => integer(64, false, self.integer_range()?),
            "INT64" => integer(64, true, self.integer_range()?),
            "FLOAT" => AttributeType::Float { range: self.float_range()? },
            "BOOLEAN" => self.boolean()?,
            "ENUM" => AttributeType::Enumeration(self.enumerators()?),
            "STRING" => AttributeType::Text,
            "IDENTIFIER" | "SYMBOLNAME" => AttributeType::Identifier,
            "STRUCT" => AttributeType::Group(self.block(Self::attribute_definition)?),
            text => match text.strip_suffix("_TYPE") {
                Some(kind) if !kind.is_empty() => AttributeType::Reference(kind.to_string()),
                _ => {
                    let message = format!("OIL has no attribute type `{text}`");
                    let help = "types are UINT32, INT32, UINT64, INT64, FLOAT, BOOLEAN, ENUM, STRING and references \
                                such as TASK_TYPE";
                    return self.error(name.span, message, help);
                }
            },
        })
    }

    fn integer(&mut self) -> Parsed<i128> {
        match self.peek().kind {
            TokenKind::Integer(number) => {
                self.at += 1;
                Some(number)
            }
            _ => self.expected("a whole number"),
        }
    }

    fn number(&mut self) -> Parsed<f64> {
        match self.peek().kind {
            TokenKind::Integer(number) => {
                self.at += 1;
                Some(number as f64)
            }
            TokenKind::Float(number) => {
                self.at += 1;
                Some(number)
            }
            _ => self.expected("a number"),
        }
    }

    fn integer_range(&mut self) -> Parsed<Option<IntegerRange>> {
        if !self.eat('[') {
            return Some(None);
        }
        let first = self.integer()?;
        let range = if self.peek().kind == TokenKind::DotDot {
            self.at += 1;
            IntegerRange::Between(first, self.integer()?)
        } else {
            let mut list = vec![first];
            while self.eat(',') {
                list.push(self.integer()?);
            }
            IntegerRange::OneOf(list)
        };
        self.expect(']', "the range")?;
        Some(Some(range))
    }

    fn float_range(&mut self) -> Parsed<Option<(f64, f64)>> {
        if !self.eat('[') {
            return Some(None);
        }
        let low = self.number()?;
        if self.next().kind != TokenKind::DotDot {
            self.at -= 1;
            return self.expected("`..` between the ends of the range");
        }
        let high = self.number()?;
        self.expect(']', "the range")?;
        Some(Some((low, high)))
    }

    /// `[ TRUE { ... }, FALSE { ... } ]`, in either order, either of them left out where it has no attributes.
    fn boolean(&mut self) -> Parsed<AttributeType> {
        let (mut when_true, mut when_false) = (Vec::new(), Vec::new());
        if self.is('[') {
            for enumerator in self.enumerators()? {
                match enumerator.name.text.as_str() {
                    "TRUE" => when_true = enumerator.attributes,
                    "FALSE" => when_false = enumerator.attributes,
                    other => {
                        let message = format!("`{other}` is no value of a BOOLEAN");
                        return self.error(enumerator.name.span, message, "write TRUE or FALSE, or make it an ENUM");
                    }
                }
            }
        }
        Some(AttributeType::Boolean { when_true, when_false })
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        self.expect('[', "the type")?;
        let mut list = Vec::new();
        loop {
            // A comma behind the last one is common.
            if self.eat(']') {
                return Some(list);
            }
            let name = self.name("a value")?;
            let attributes = if self.is('{') { self.block(Self::attribute_definition)? } else { Vec::new() };
            self.description()?;
            list.push(Enumerator { name, attributes });
            if !self.eat(',') {
                self.expect(']', "the values")?;
                return Some(list);
            }
        }
    }

    fn default(&mut self) -> Parsed<Default> {
        if !self.eat('=') {
            return Some(Default::Unsaid);
        }
        let value = self.value()?;
        Some(match &value.kind {
            ValueKind::Name(name) if name == "NO_DEFAULT" => Default::None,
            _ => Default::Value(value),
        })
    }
}
