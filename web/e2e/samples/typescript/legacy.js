const { greet } = require("./greet");

function main() {
  greet("world");
}

main();
