// crypto.randomUUID() exists over HTTPS and on localhost only; this works wherever the page does.
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
