const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute; nothing in it is markup, and control characters are gone. */
export function escapeHtml(text: string): string {
  return text
    .replace(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);
}
