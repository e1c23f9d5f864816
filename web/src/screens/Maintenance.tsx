export function Maintenance() { return null; }
