//! Generated Java on regular expressions and collections, deterministic for a seed.

use super::generated::Dice;

fn regex(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return dice
            .pick(&[
                "a",
                "b",
                "c",
                ".",
                "[ab]",
                "[^a]",
                "\\\\d",
                "\\\\w",
                "\\\\s",
                "[a-c&&[^b]]",
                "1",
                "\\\\.",
                "[\\\\d-]",
                "\\\\S",
            ])
            .to_owned();
    }
    let d = depth - 1;
    match dice.roll(9) {
        0..=2 => format!("{}{}", regex(dice, d), regex(dice, d)),
        3 => format!("({})", regex(dice, d)),
        4 => format!("(?:{}|{})", regex(dice, d), regex(dice, d)),
        5 | 6 => format!(
            "(?:{}){}",
            regex(dice, d),
            dice.pick(&["*", "+", "?", "*?", "+?", "{1,2}", "{2}", "++", "??", "{0,3}?"])
        ),
        7 => format!("({}|{})", regex(dice, d), regex(dice, d)),
        _ => format!(
            "{}{}{}",
            dice.pick(&["^", "", "\\\\b", "(?=a)", "(?!b)", "(?<=a)"]),
            regex(dice, d),
            dice.pick(&["$", "", "\\\\b", "(?=c)"])
        ),
    }
}

/// A method body on regular expressions.
pub fn pattern(dice: &mut Dice) -> String {
    let (pattern, with) = (regex(dice, 3), dice.pick(&["<$0>", "x", "", "\\\\$"]));
    match dice.roll(5) {
        0 => format!("return pg.matches(\"{pattern}\");"),
        1 => format!("return pg.replaceAll(\"{pattern}\", \"{with}\");"),
        2 => format!("return Arrays.toString(pg.split(\"{pattern}\"{}));", dice.pick(&["", ", 2", ", -1"])),
        3 => format!(
            "Matcher m = Pattern.compile(\"{pattern}\"{}).matcher(pg); String r = \"\"; while (m.find()) r += m.start() + \"-\" + m.end() + (m.groupCount() > 0 ? m.group(1) : \"\") + \";\"; return r;",
            dice.pick(&["", ", Pattern.CASE_INSENSITIVE", ", Pattern.MULTILINE", ", Pattern.DOTALL"])
        ),
        _ => format!("return pg.replaceFirst(\"{pattern}\", \"{with}\");"),
    }
}

/// A method body on lists, maps, sets and deques.
pub fn collection(dice: &mut Dice) -> String {
    let keys = dice.roll(3) == 0;
    let ty = if keys { "String" } else { "Integer" };
    let item = |dice: &mut Dice| {
        if keys && dice.roll(3) == 0 {
            dice.pick(&["cs", "ct"]).to_owned()
        } else if keys {
            format!("\"{}\"", dice.pick(&["a", "b", "Aa", "BB", "key", "z9", "Hello", "x1", "x2", "x3"]))
        } else if dice.roll(3) == 0 {
            dice.pick(&["ci", "cj", "ci * 16"]).to_owned()
        } else {
            format!("{}", dice.roll(120) as i32 * 7 - 100)
        }
    };
    let kind = dice.pick(&["List", "Map", "Set", "Deque"]);
    let class = match kind {
        "List" => dice.pick(&["ArrayList", "LinkedList"]),
        "Map" => dice.pick(&["HashMap", "LinkedHashMap", "TreeMap"]),
        "Set" => dice.pick(&["HashSet", "LinkedHashSet", "TreeSet"]),
        _ => dice.pick(&["ArrayDeque", "LinkedList"]),
    };
    let args = if kind == "Map" { format!("{ty}, Integer") } else { ty.to_owned() };
    let mut out = format!("{kind}<{args}> k = new {class}<>(); String r = \"\"; ");
    for _ in 0..dice.roll(24) + 2 {
        let (a, n) = (item(dice), if dice.roll(4) == 0 { "cn".to_owned() } else { dice.roll(6).to_string() });
        out += &match (kind, dice.roll(9)) {
            ("List", 0..=3) => format!("k.add({a}); "),
            ("List", 4) => format!("if (k.size() > {n}) k.add({n}, {a}); "),
            ("List", 5) => format!("r += k.remove(({ty}) ({a})) + \",\" + k.indexOf({a}) + \";\"; "),
            ("List", 6) => format!("if (k.size() > {n}) r += k.remove({n}); "),
            ("List", 7) => format!("if (k.size() > {n}) r += k.set({n}, {a}) + \"\" + k.contains({a}); "),
            ("List", _) => dice
                .pick(&[
                    "Collections.sort(k); ",
                    "Collections.reverse(k); ",
                    "k.sort(Comparator.reverseOrder()); ",
                    "r += k.hashCode(); ",
                    "k.addAll(new ArrayList<>(k)); ",
                    "if (k.size() > 60) k.clear(); ",
                ])
                .to_owned(),
            ("Map", 0..=3) => format!("r += k.put({a}, {n}); "),
            ("Map", 4) => format!("k.merge({a}, {n}, Integer::sum); "),
            ("Map", 5) => format!("r += k.remove({a}) + \";\"; "),
            ("Map", 6) => format!("k.computeIfAbsent({a}, q -> {n}); "),
            ("Map", 7) => format!("r += k.getOrDefault({a}, -1) + \"\" + k.containsKey({a}); "),
            ("Map", _) => dice
                .pick(&[
                    "r += k.keySet(); ",
                    "r += k.values(); ",
                    "r += k.hashCode(); ",
                    "k.entrySet().removeIf(e -> e.getValue() > 3); ",
                    "k.replaceAll((p, q) -> q + 1); ",
                    "for (var e : k.entrySet()) r += e.getKey(); ",
                ])
                .to_owned(),
            ("Set", 0..=4) => format!("r += k.add({a}); "),
            ("Set", 5) => format!("r += k.remove({a}); "),
            ("Set", 6) => format!("r += k.contains({a}); "),
            ("Set", _) => dice
                .pick(&[
                    "r += k.size(); ",
                    "r += k.hashCode(); ",
                    "r += new ArrayList<>(k); ",
                    "for (var e : k) r += e + \".\"; ",
                    "r += k.stream().limit(2).collect(Collectors.toList()); ",
                ])
                .to_owned(),
            (_, 0..=2) => format!("k.addLast({a}); "),
            (_, 3) => format!("k.addFirst({a}); "),
            (_, 4) => "r += k.pollFirst() + \";\"; ".to_owned(),
            (_, 5) => "r += k.pollLast() + \";\"; ".to_owned(),
            (_, 6) => "r += k.pop(); ".to_owned(),
            (_, _) => "r += k.peekFirst() + \"\" + k.size(); ".to_owned(),
        };
    }
    format!("{out}return r + k;")
}
