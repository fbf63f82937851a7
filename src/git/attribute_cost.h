// AttributeCost: whether git finds the attributes of a path in reasonable time.
//
// libgit2 tries every way in which the wildcards of a pattern can share a path between them. With k
// wildcards and n bytes these are "n + k choose k" ways: twelve stars against one long name take
// minutes, and nothing can interrupt them. So the attribute files of a repository (from each folder
// above the path, as they are in the index, in the work tree and at HEAD, info/attributes, and what
// core.attributesfile names) are read here first. Nothing is matched.
// Thread safety: one thread. Lifetime: the repository outlives it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct git_repository;

namespace precedent::git {

class AttributeCost {
 public:
  explicit AttributeCost(git_repository* repository) : repository_(repository) {}

  // False: do not ask git for the attributes of `path`, which is relative to the repository's root.
  bool is_bearable(std::string_view path);

  // Of each file that cost too much: its name, its worst pattern, what it means, and the remedy.
  std::vector<std::string> warnings() const;

 private:
  // Wildcards of a pattern, and whether it is matched with the whole path or with the last name.
  struct Shape {
    size_t wildcards = 0;
    bool whole_path = false;
    auto operator<=>(const Shape&) const = default;
  };
  // One file of patterns.
  struct Patterns {
    std::string file;
    std::map<Shape, size_t> shapes;  // how many patterns have it
    std::string worst;               // the pattern with the most wildcards
    bool too_large = false;
    std::string unread;  // the first path whose attributes were not looked for because of this file
  };

  std::vector<Patterns>& of_folder(const std::string& folder);
  void read_folder(const std::string& folder, std::vector<Patterns>& out) const;
  void read_outside(std::vector<Patterns>& out) const;
  static Patterns read(std::string file, std::string_view text);
  static void read_disk(std::string name, const std::string& path, std::vector<Patterns>& out);
  static double steps(const Patterns& patterns, std::string_view path);

  git_repository* repository_;
  std::map<std::string, std::vector<Patterns>, std::less<>> folders_;
};

}  // namespace precedent::git
