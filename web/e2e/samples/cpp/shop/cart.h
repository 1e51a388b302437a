#pragma once
#include <memory>
#include <vector>

namespace shop {

class Rule {
 public:
  virtual ~Rule() = default;
  virtual int apply(int price) const = 0;
};

class Half : public Rule {
 public:
  int apply(int price) const override;
};

class Cart {
 public:
  explicit Cart(std::unique_ptr<Rule> rule);
  void add(int price) { prices_.push_back(price); }
  int total() const;

 private:
  std::unique_ptr<Rule> rule_;
  std::vector<int> prices_;
};

}  // namespace shop
