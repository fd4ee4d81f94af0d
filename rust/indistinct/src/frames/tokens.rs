//! The tokens of expressions and domains.

use crate::core::{Error, Fallible};
use indistinct_numeric::read_float;

/// A word, number, text or sign.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name, or a word such as `and`.
    Word(String),
    /// An integer of 64 bits, with or without a sign.
    Integer(i128),
    Float(f64),
    /// The text between quotes.
    Text(String),
    Sign(&'static str),
}

/// The signs, longer ones first, so that each is read as a whole.
const SIGNS: [&str; 20] =
    ["..=", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "(", ")", "[", "]", "{", "}", ",", ":", ";"];

/// Words that come before a value.
pub(super) const BEFORE_VALUES: [&str; 5] = ["and", "or", "not", "in", "else"];

impl Token {
    /// Returns true if a value may end with this token, so that a minus after it is a subtraction.
    fn ends_value(&self) -> bool {
        match self {
            Token::Word(word) => !BEFORE_VALUES.contains(&word.as_str()),
            Token::Integer(_) | Token::Float(_) | Token::Text(_) => true,
            Token::Sign(sign) => [")", "]", "}"].contains(sign),
        }
    }
}

/// The tokens of a text with their positions.
pub(super) struct Tokens {
    name: &'static str,
    /// The remaining tokens in reverse order, each with its position in characters.
    rest: Vec<(usize, Token)>,
    length: usize,
}

impl Tokens {
    /// # Errors
    ///
    /// Splits a text into tokens. Returns an error with the parameter's name and the position for an unknown character,
    /// a text without an end, or an invalid number.
    pub(super) fn of(name: &'static str, text: &str) -> Fallible<Self> {
        let characters: Vec<char> = text.chars().collect();
        let (mut tokens, mut at) = (Vec::<(usize, Token)>::new(), 0);
        loop {
            at += characters.iter().skip(at).take_while(|c| c.is_whitespace()).count();
            let Some(rest) = characters.get(at..).filter(|rest| !rest.is_empty()) else { break };
            let subtracts = tokens.last().is_some_and(|(_, before)| before.ends_value());
            let (token, length) = token(rest, subtracts).map_err(|rule| place(name, at, &rule))?;
            tokens.push((at, token));
            at += length;
        }
        tokens.reverse();
        Ok(Self { name, rest: tokens, length: characters.len() })
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.rest.last().map(|(_, token)| token)
    }

    /// Returns the token after the next one.
    pub(super) fn peek_second(&self) -> Option<&Token> {
        self.rest.len().checked_sub(2).and_then(|at| self.rest.get(at)).map(|(_, token)| token)
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        self.rest.pop().map(|(_, token)| token)
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(found)) if *found == sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(found)) if found == word)
    }

    /// Returns true if the next token is this sign, and skips it.
    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.is_sign(sign);
        if is_next {
            self.rest.pop();
        }
        is_next
    }

    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        let is_next = self.is_word(word);
        if is_next {
            self.rest.pop();
        }
        is_next
    }

    pub(super) fn expect(&mut self, sign: &str) -> Fallible<()> {
        if self.takes(sign) { Ok(()) } else { Err(self.refuse(&format!("expected `{sign}`"))) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Fallible<()> {
        if self.takes_word(word) { Ok(()) } else { Err(self.refuse(&format!("expected `{word}`"))) }
    }

    pub(super) fn text(&mut self) -> Fallible<String> {
        match self.peek() {
            Some(Token::Text(text)) => {
                let text = text.clone();
                self.rest.pop();
                Ok(text)
            }
            _ => Err(self.refuse("expected text in quotes")),
        }
    }

    pub(super) fn integer<T: TryFrom<i128>>(&mut self) -> Fallible<T> {
        let Some(&Token::Integer(value)) = self.peek() else { return Err(self.refuse("expected a whole number")) };
        let value = T::try_from(value).map_err(|_| self.refuse("the number is out of range"))?;
        self.rest.pop();
        Ok(value)
    }

    /// Reads a number, `inf` or `NaN`.
    pub(super) fn float(&mut self) -> Fallible<f64> {
        let negative = self.is_sign("-") && self.peek_second() == Some(&Token::Word("inf".into()));
        if negative {
            self.rest.pop();
        }
        let value = match self.peek() {
            Some(Token::Float(value)) => Some(*value),
            // The text of an integer is that of a float.
            Some(Token::Integer(value)) => value.to_string().parse().ok(),
            Some(Token::Word(word)) if word == "inf" => Some(f64::INFINITY),
            Some(Token::Word(word)) if word == "NaN" => Some(f64::NAN),
            _ => None,
        };
        let Some(value) = value else { return Err(self.refuse("expected a number")) };
        self.rest.pop();
        Ok(if negative { -value } else { value })
    }

    /// Reads a list between two signs, separated by commas.
    pub(super) fn list<T>(
        &mut self,
        (open, close): (&str, &str),
        mut one: impl FnMut(&mut Self) -> Fallible<T>,
    ) -> Fallible<Vec<T>> {
        self.expect(open)?;
        let mut all = Vec::new();
        while !self.takes(close) {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// Returns an error if any tokens are left.
    pub(super) fn end(&self) -> Fallible<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.refuse("expected the end")) }
    }

    /// Returns the position of the next token.
    pub(super) fn at(&self) -> usize {
        self.rest.last().map_or(self.length, |(at, _)| *at)
    }

    /// Makes an error at the position of the next token.
    pub(super) fn refuse(&self, rule: &str) -> Error {
        self.refuse_at(self.at(), rule)
    }

    pub(super) fn refuse_at(&self, at: usize, rule: &str) -> Error {
        place(self.name, at, rule)
    }

    /// Adds to an error the position at which its tokens begin.
    pub(super) fn made<T>(&self, at: usize, made: Fallible<T>) -> Fallible<T> {
        made.map_err(|error| self.refuse_at(at, &error.to_string()))
    }
}

/// Makes an error with a position. Characters are counted from 1.
fn place(name: &'static str, at: usize, rule: &str) -> Error {
    Error::parameter(name, format!("at character {}: {rule}", at + 1))
}

/// Reads the token at the beginning of these characters, and returns it with its length. A minus is a subtraction if
/// `subtracts`, and otherwise the sign of a number.
fn token(rest: &[char], subtracts: bool) -> Result<(Token, usize), String> {
    let text = |length: usize| rest.iter().take(length).collect::<String>();
    let (first, second) = (rest.first().copied().unwrap_or(' '), rest.get(1).copied().unwrap_or(' '));
    if first == '"' {
        return quoted(rest);
    }
    if first.is_ascii_digit() || first == '-' && !subtracts && second.is_ascii_digit() {
        let (number, length) = number(rest);
        return Ok((number.ok_or_else(|| format!("{} is not a 64-bit number", text(length)))?, length));
    }
    if first.is_alphabetic() || first == '_' {
        let length = rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
        return Ok((Token::Word(text(length)), length));
    }
    let is_next = |sign: &&str| sign.chars().eq(rest.iter().copied().take(sign.len()));
    match SIGNS.into_iter().find(is_next) {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => Err(format!("the character {first:?} has no meaning here")),
    }
}

/// Reads digits, with a point only before a digit: `0..=9` begins with 0.
fn number(rest: &[char]) -> (Option<Token>, usize) {
    let digits = |from: usize| rest.iter().skip(from).take_while(|c| c.is_ascii_digit()).count();
    let is = |at: usize, any: &[char]| rest.get(at).is_some_and(|c| any.contains(c));
    let mut end = usize::from(is(0, &['-']));
    end += digits(end);
    let whole = end;
    if is(end, &['.']) && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if is(end, &['e', 'E']) {
        let sign = usize::from(is(end + 1, &['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    let text: String = rest.iter().take(end).collect();
    if end == whole {
        let is_of_64_bits = |value: &i128| i64::try_from(*value).is_ok() || u64::try_from(*value).is_ok();
        return (text.parse().ok().filter(is_of_64_bits).map(Token::Integer), end);
    }
    (read_float(&text).map(Token::Float), end)
}

/// Reads a text in Rust's syntax.
fn quoted(rest: &[char]) -> Result<(Token, usize), String> {
    let (mut text, mut at) = (String::new(), 1);
    loop {
        let character = *rest.get(at).ok_or("the text has no closing quote")?;
        at += 1;
        match character {
            '"' => return Ok((Token::Text(text), at)),
            '\\' => {
                let escape = *rest.get(at).ok_or("the text has no closing quote")?;
                at += 1;
                text.push(match escape {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    '0' => '\0',
                    '\\' | '"' | '\'' => escape,
                    'u' => {
                        let (character, length) = unicode(rest.get(at..).unwrap_or_default())
                            .ok_or("expected a character code, such as \\u{e9}")?;
                        at += length;
                        character
                    }
                    _ => return Err("a backslash must be followed by n, r, t, 0, u, \\ or a quote".into()),
                });
            }
            _ => text.push(character),
        }
    }
}

/// Reads `{e9}`: the character, and the length of its number.
fn unicode(rest: &[char]) -> Option<(char, usize)> {
    let number: String = rest.strip_prefix(&['{'])?.iter().take_while(|c| **c != '}').take(8).collect();
    let is_closed = rest.get(number.chars().count() + 1) == Some(&'}');
    let value = u32::from_str_radix(&number, 16).ok().filter(|_| is_closed && !number.starts_with('+'))?;
    Some((char::from_u32(value)?, number.chars().count() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Fallible<Vec<Token>> {
        let mut tokens = Tokens::of("text", text)?;
        Ok(std::iter::from_fn(|| tokens.next()).collect())
    }

    #[test]
    fn numbers_texts_words_and_signs() {
        let (word, sign) = (|word: &str| Token::Word(word.into()), Token::Sign);
        assert_eq!(
            tokens("age>=-18 and x1 == 1.5e3").unwrap(),
            [word("age"), sign(">="), Token::Integer(-18), word("and"), word("x1"), sign("=="), Token::Float(1500.0)]
        );
        assert_eq!(tokens("0..=12").unwrap(), [Token::Integer(0), sign("..="), Token::Integer(12)]);
        assert_eq!(tokens("1e2 1e(-5").unwrap().len(), 5);
        for text in ["", "a\"b\\c\nd\t\r\0é\u{301}\u{7f}😀'", "x"] {
            assert_eq!(tokens(&format!("{text:?}")).unwrap(), [Token::Text(text.into())]);
        }
        for value in [5e-324, 0.1, 1e300, 1e16, 123456789.125, f64::MAX] {
            assert_eq!(
                tokens(&format!("{value:?}, {:?}", -value)).unwrap(),
                [Token::Float(value), sign(","), Token::Float(-value)]
            );
        }
        assert_eq!(tokens(&i64::MIN.to_string()).unwrap(), [Token::Integer(i64::MIN.into())]);
        assert_eq!(tokens(&u64::MAX.to_string()).unwrap(), [Token::Integer(u64::MAX.into())]);
    }

    /// A minus before a digit is the number's where no value stands before it.
    #[test]
    fn minus_subtracts_or_is_of_a_number() {
        let (minus, one, negative) = (Token::Sign("-"), Token::Integer(1), Token::Integer(-1));
        for before in ["x", "1", "2.5", "\"t\"", "(x)", "[x]", "missing", "x1"] {
            for text in ["-1", " -1", "- 1", " - 1"] {
                let tokens = tokens(&format!("{before}{text}")).unwrap();
                assert!(tokens.ends_with(&[minus.clone(), one.clone()]), "{before}{text}");
            }
            assert!(tokens(&format!("{before}--1")).unwrap().ends_with(&[minus.clone(), negative.clone()]));
        }
        for before in ["", "(", "[", "{", ",", ":", "..=", "==", "-", "*", "and", "or", "not", "in", "else"] {
            for text in ["-1", " -1"] {
                assert_eq!(tokens(&format!("{before}{text}")).unwrap().last(), Some(&negative), "{before}{text}");
            }
        }
        assert_eq!(tokens("-5..=-1").unwrap(), [Token::Integer(-5), Token::Sign("..="), negative]);
    }

    #[test]
    fn errors_name_the_place() {
        for (text, told) in [
            ("a ? b", "at character 3: the character '?'"),
            ("a == \"b", "at character 6: the text has no closing quote"),
            ("99999999999999999999", "at character 1: 99999999999999999999 is not a 64-bit number"),
            ("x - 18446744073709551616", "at character 5: 18446744073709551616 is not a 64-bit number"),
            ("-9223372036854775809", "at character 1: -9223372036854775809 is not a 64-bit number"),
            ("1e400", "1e400 is not a 64-bit number"),
            ("x > -1e-400", "-1e-400 is not a 64-bit number"),
            (r#""\x""#, "a backslash must be followed by"),
            (r#""\u{d800}""#, "a character code"),
            (r#""\u{+41}""#, "a character code"),
        ] {
            let error = tokens(text).unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
