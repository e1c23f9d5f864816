export function Notebook() { return null; }
