/** Text made of a message or a tool, once, and kept as long as the object lives. */
export type JsonCache = (key: object, write: () => string) => string;

/** Messages and tools never change, so a long transcript costs a turn only its new ones. */
export function createJsonCache(): JsonCache {
  const kept = new WeakMap<object, string>();
  return (key, write) => {
    let text = kept.get(key);
    if (text === undefined) {
      text = write();
      kept.set(key, text);
    }
    return text;
  };
}
