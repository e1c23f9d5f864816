export function Directives() { return null; }
