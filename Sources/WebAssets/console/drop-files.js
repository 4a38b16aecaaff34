/** Takes files that are dropped on a node. */
export function acceptFiles(node, load, signal) {
  const isFile = event => [...event.dataTransfer?.types ?? []].includes("Files");
  const mark = is => node.classList.toggle("drop-target", is);
  const over = event => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(event.type === "dragover");
  };
  for (const type of ["dragover", "dragleave"]) addEventListener(type, over, { signal });
  addEventListener("drop", event => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(false);
    load([...event.dataTransfer.files]);
  }, { signal });
}
