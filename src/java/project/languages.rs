//! Other languages of the Java virtual machine: their sources are part of a project, but are not read. What such a file
//! declares and does is not known.

/// Endings of source files, with the name of the language.
const LANGUAGES: [(&str, &str); 4] =
    [(".kt", "Kotlin"), (".scala", "Scala"), (".groovy", "Groovy"), (".clj", "Clojure")];

/// The language of a source file that is not read; `None` for all other files.
pub fn other_language(path: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|(ending, _)| path.ends_with(ending)).map(|(_, language)| *language)
}

/// For each other language of these files: its name, its first file, and the number of its files; most files first.
pub fn languages(files: &[String]) -> Vec<(&'static str, &str, usize)> {
    let mut found: Vec<(&'static str, &str, usize)> = Vec::new();
    for file in files {
        let Some(language) = other_language(file) else { continue };
        match found.iter_mut().find(|(known, ..)| *known == language) {
            Some((_, _, count)) => *count += 1,
            None => found.push((language, file, 1)),
        }
    }
    found.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
    found
}

/// Names of these languages and how many files they have: `12 files of Kotlin and 1 file of Groovy`.
pub fn counted(files: &[String]) -> Option<String> {
    let of: Vec<String> = languages(files)
        .into_iter()
        .map(|(language, _, count)| format!("{count} {} of {language}", if count == 1 { "file" } else { "files" }))
        .collect();
    (!of.is_empty()).then(|| of.join(" and "))
}
