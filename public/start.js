// Starts the page. Trunk's own start script is inline, which the page's policy forbids; this file is
// the same for every build and learns the two hashed names from its script element.
const { js, wasm } = document.querySelector("script[data-wasm]").dataset;

// What the document keeps ready for a page that has come to a halt. A wasm trap leaves nothing of the
// page's own code that could say so.
const halted = document.getElementById("halted");
document.getElementById("halted-reload").addEventListener("click", () => location.reload());
for (const event of ["error", "unhandledrejection"]) {
  addEventListener(event, ({ error, reason }) => {
    if ((error ?? reason) instanceof WebAssembly.RuntimeError) halted.hidden = false;
  });
}

try {
  const { default: start } = await import(new URL(js, document.baseURI));
  await start({ module_or_path: new URL(wasm, document.baseURI) });
} catch (error) {
  // Half of the page came, or none: loading it once more is all that can be done.
  halted.hidden = false;
  throw error;
}
