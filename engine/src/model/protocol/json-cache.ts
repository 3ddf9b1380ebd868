/** Returns the JSON text of a message or tool; calls `write` once per object. */
export type JsonCache = (key: object, write: () => string) => string;

/** Messages and tools never change, so a turn serializes only the new messages of a long transcript. */
export function createJsonCache(): JsonCache {
  const cache = new WeakMap<object, string>();
  return (key, write) => {
    let text = cache.get(key);
    if (text === undefined) {
      text = write();
      cache.set(key, text);
    }
    return text;
  };
}
