/** Whether a host name of a URL is this machine: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || hostname === '[::1]' || /^127\./.test(hostname);
}
