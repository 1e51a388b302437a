exports.greet = function greet(name) {
  return "hello " + name;
};
