#include "sources/source_contract.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "files/temporary_folder.h"
#include "git/repo_lab.h"
#include "sources/confluence_lab.h"
#include "sources/fake_source.h"
#include "sources/folder_source.h"
#include "sources/git_source.h"
#include "sources/github_lab.h"

namespace precedent {
namespace {

class FakeOrigin final : public SourceOrigin {
 public:
  void put(const std::string& name, const std::string& text) override { source_.put(name, text); }
  void remove(const std::string& name) override { source_.remove(name); }
  std::unique_ptr<KnowledgeSource> open(const std::filesystem::path&) override {
    return std::make_unique<FakeSource>(source_);
  }

 private:
  FakeSource source_;
};

class FolderOrigin final : public SourceOrigin {
 public:
  void put(const std::string& name, const std::string& text) override {
    std::ofstream(folder_.path() / (name + ".md")) << "# " << name << "\n\n" << text << "\n";
  }
  void remove(const std::string& name) override {
    std::filesystem::remove(folder_.path() / (name + ".md"));
  }
  std::unique_ptr<KnowledgeSource> open(const std::filesystem::path&) override {
    ReadOptions read;
    read.paths = {folder_.path().string()};
    return std::make_unique<FolderSource>(FolderSource::open(std::move(read)).value());
  }

 private:
  TemporaryFolder folder_;
};

class GitOrigin final : public SourceOrigin {
 public:
  GitOrigin() { repo_.write("src/main.cc", "int main() {}").commit(); }
  void put(const std::string& name, const std::string& text) override {
    repo_.write("runbooks/" + name + ".md", "# " + name + "\n\n" + text + "\n").commit();
  }
  void remove(const std::string& name) override {
    repo_.remove("runbooks/" + name + ".md").commit();
  }
  std::unique_ptr<KnowledgeSource> open(const std::filesystem::path& folder) override {
    GitSourceOptions options;
    options.name = "runbooks";
    options.url = repo_.folder.string();
    options.folder = folder / "sources" / "runbooks";
    return std::make_unique<GitSource>(std::move(options));
  }

 private:
  git::RepoLab repo_;
};

template <bool kDataCenter>
class ConfluenceOrigin final : public SourceOrigin {
 public:
  void put(const std::string& name, const std::string& text) override {
    lab_.put(name, "<p>" + text + "</p>");
  }
  void remove(const std::string& name) override { lab_.remove(name); }
  std::unique_ptr<KnowledgeSource> open(const std::filesystem::path&) override {
    return std::make_unique<ConfluenceSource>(lab_.open());
  }

 private:
  ConfluenceLab lab_{kDataCenter};
};

class GithubOrigin final : public SourceOrigin {
 public:
  void put(const std::string& name, const std::string& text) override { lab_.put(name, text); }
  void remove(const std::string& name) override { lab_.remove(name); }
  std::unique_ptr<KnowledgeSource> open(const std::filesystem::path&) override {
    return std::make_unique<GithubSource>(lab_.open());
  }

 private:
  GithubLab lab_;
};

template <typename Of>
SourceOriginMaker maker() {
  return [] { return std::make_unique<Of>(); };
}

INSTANTIATE_TEST_SUITE_P(Fake, SourceContract, testing::Values(maker<FakeOrigin>()));
INSTANTIATE_TEST_SUITE_P(Folder, SourceContract, testing::Values(maker<FolderOrigin>()));
INSTANTIATE_TEST_SUITE_P(Git, SourceContract, testing::Values(maker<GitOrigin>()));
INSTANTIATE_TEST_SUITE_P(ConfluenceCloud, SourceContract,
                         testing::Values(maker<ConfluenceOrigin<false>>()));
INSTANTIATE_TEST_SUITE_P(ConfluenceDataCenter, SourceContract,
                         testing::Values(maker<ConfluenceOrigin<true>>()));
INSTANTIATE_TEST_SUITE_P(Github, SourceContract, testing::Values(maker<GithubOrigin>()));

}  // namespace
}  // namespace precedent
