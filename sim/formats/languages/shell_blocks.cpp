#include "sim/core/words.hpp"
#include "sim/formats/languages/shell_parser.hpp"

namespace tofn {
inline namespace formats {

ShellNodes ShellParser::script() {
  ShellNodes nodes = list({});
  if (!reader_.is_over()) reader_.fail("this shell syntax is not understood");
  return nodes;
}

void ShellParser::skip_separators() {
  for (;;) {
    reader_.skip_blanks();
    if (reader_.peek() == '\n') {
      take("\n");
      read_here_documents();
    } else if (reader_.starts_with(";;") ||
               !(take(";") || (!reader_.starts_with("&&") && take("&")))) {
      return;
    }
  }
}

ShellNodes ShellParser::list(std::initializer_list<std::string_view> ends) {
  if (++depth_ > deepest_block) reader_.fail("nested too deeply");
  ShellNodes nodes;
  for (skip_separators(); !reader_.is_over(); skip_separators()) {
    if (reader_.peek() == ')' || reader_.starts_with(";;") || is_any_of(bare_word(), ends)) break;
    nodes.push_back(either());
  }
  --depth_;
  return nodes;
}

void ShellParser::expect(std::string_view word, std::uint32_t opening, std::string_view what) {
  skip_separators();
  if (bare_word() != word || !take(word))
    sources_.fail(opening, std::string(what) + " is not closed");
}

ShellNode ShellParser::either() {
  ShellNode left = pipeline();
  for (;;) {
    reader_.skip_blanks();
    const bool is_or = reader_.starts_with("||");
    if (!take("&&") && !take("||")) return left;
    skip_line_ends();
    ShellNode node{.kind = ShellNodeKind::Either, .begin = left.begin, .is_or = is_or};
    node.body.push_back(std::move(left));
    node.body.push_back(pipeline());
    left = std::move(node);
  }
}

void ShellParser::skip_line_ends() {
  reader_.skip_blanks();
  while (take("\n")) {
    read_here_documents();
    reader_.skip_blanks();
  }
}

ShellNode ShellParser::pipeline() {
  ShellNode node = command();
  reader_.skip_blanks();
  if (reader_.starts_with("||") || reader_.peek() != '|') return node;
  ShellNode all{.kind = ShellNodeKind::Sequence, .begin = node.begin};
  all.body.push_back(std::move(node));
  while (!reader_.starts_with("||") && take("|")) {
    take("&");
    skip_line_ends();
    all.body.push_back(command());
    reader_.skip_blanks();
  }
  return all;
}

ShellNode ShellParser::command() {
  reader_.skip_blanks();
  const std::uint32_t begin = reader_.at();
  const std::string_view word = bare_word();
  if (word == "!") {
    take("!");
    ShellNode node{.kind = ShellNodeKind::Not, .begin = begin};
    node.body.push_back(guarded([&] { return command(); }));
    return node;
  }
  ShellNode node = block(word, begin);
  if (node.kind != ShellNodeKind::Simple) read_redirects(node);
  if (reader_.at() == begin) reader_.fail("this shell syntax is not understood");
  return node;
}

ShellNode ShellParser::block(std::string_view word, std::uint32_t begin) {
  if (word == "if") return if_block(begin);
  if (word == "case") return case_block(begin);
  if (word == "for") return for_block(begin);
  if (word == "while" || word == "until") return while_block(begin, word);
  if (word == "{") return group(begin, "{", "}");
  if (word == "[[") return test(begin);
  if (reader_.starts_with("((")) return arithmetic(begin);
  if (reader_.peek() == '(') return group(begin, "(", ")");
  return simple(begin);
}

ShellNode ShellParser::if_block(std::uint32_t begin) {
  ShellNode node{.kind = ShellNodeKind::If, .begin = begin};
  take("if");
  for (;;) {
    ShellNode::Arm& arm = node.arms.emplace_back();
    arm.condition = list({"then"});
    expect("then", begin, "`if`");
    arm.body = list({"elif", "else", "fi"});
    if (bare_word() == "elif" && take("elif")) continue;
    if (bare_word() == "else" && take("else")) node.arms.push_back({.body = list({"fi"})});
    expect("fi", begin, "`if`");
    return node;
  }
}

ShellNode ShellParser::case_block(std::uint32_t begin) {
  ShellNode node{.kind = ShellNodeKind::Case, .begin = begin};
  take("case");
  reader_.skip_blanks();
  node.subject = reader_.word();
  skip_line_ends();
  if (bare_word() != "in" || !take("in")) sources_.fail(begin, "`case` has no `in`");
  for (skip_separators(); bare_word() != "esac"; skip_separators()) {
    if (reader_.is_over()) sources_.fail(begin, "`case` is not closed");
    ShellNode::Arm& arm = node.arms.emplace_back();
    take("(");
    do {
      reader_.skip_blanks();
      arm.patterns.push_back(reader_.word());
      reader_.skip_blanks();
    } while (take("|"));
    if (!take(")")) reader_.fail("this shell syntax is not understood");
    arm.body = list({"esac"});
    if (!take(";;&")) take(";;");
  }
  take("esac");
  return node;
}

ShellNode ShellParser::for_block(std::uint32_t begin) {
  ShellNode node{.kind = ShellNodeKind::For, .begin = begin};
  take("for");
  reader_.skip_blanks();
  if (reader_.starts_with("((")) {
    arithmetic(reader_.at());
  } else {
    node.name = literal(reader_.word());
    skip_line_ends();
    if (bare_word() == "in" && take("in"))
      for (reader_.skip_blanks(); !at_end_of_command(); reader_.skip_blanks())
        node.words.push_back(next_word());
  }
  expect("do", begin, "`for`");
  node.body = list({"done"});
  expect("done", begin, "`for`");
  return node;
}

ShellNode ShellParser::while_block(std::uint32_t begin, std::string_view word) {
  ShellNode node{.kind = ShellNodeKind::While, .begin = begin, .name = std::string(word)};
  take(node.name);
  node.condition = list({"do"});
  expect("do", begin, "a loop");
  node.body = list({"done"});
  expect("done", begin, "a loop");
  return node;
}

ShellNode ShellParser::group(std::uint32_t begin, std::string_view open, std::string_view close) {
  ShellNode node{.kind = ShellNodeKind::Sequence, .begin = begin};
  take(open);
  node.body = list({close});
  skip_separators();
  if (!take(close)) sources_.fail(begin, "`" + std::string(open) + "` is not closed");
  return node;
}

ShellNode ShellParser::arithmetic(std::uint32_t begin) {
  int open = 0;
  do {
    if (reader_.is_over()) sources_.fail(begin, "`((` is not closed");
    open += (reader_.peek() == '(') - (reader_.peek() == ')');
    reader_.move_to(reader_.at() + 1);
  } while (open > 0);
  return {.kind = ShellNodeKind::Simple, .begin = begin};
}

ShellNode ShellParser::test(std::uint32_t begin) {
  ShellNode node{.kind = ShellNodeKind::Simple, .begin = begin};
  for (;;) {
    reader_.skip_blanks();
    if (reader_.is_over()) sources_.fail(begin, "`[[` is not closed");
    if (reader_.peek() == '\n' || reader_.peek() == ';') {
      reader_.move_to(reader_.at() + 1);
      continue;
    }
    node.words.push_back(reader_.word(true));
    if (literal(node.words.back()) == "]]") return node;
  }
}

ShellNodes parse_shell(const ShellSources& sources, std::uint32_t begin, std::uint32_t end) {
  return ShellParser(sources, begin, end).script();
}

}  // namespace formats
}  // namespace tofn
