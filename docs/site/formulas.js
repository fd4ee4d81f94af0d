// Formulas from TeX into HTML: a line of JSON for each, [text, whether it stands alone], is answered by one.
const katex = require(process.argv[2]);
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [text, displayMode] = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(text, { displayMode, strict: "error", throwOnError: true }) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
