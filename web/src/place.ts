// Where the page is: what stands behind the # of its address. A chat's id holds no slash, every other place begins with one.

export interface Lines {
  begin: number;
  end: number; // inclusive
}
export type Place =
  | { view: "chat"; id: string } // "": a new one
  | { view: "history"; id: string }
  | { view: "documents"; filters: Record<string, string> }
  | { view: "document"; id: string; lines?: Lines }
  | { view: "upload" }
  | { view: "versions" }
  | { view: "review"; of: "feedback" | "golden" };

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand
  }
};

export function linesOf(text: string): Lines | undefined {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text);
  if (!match) return undefined;
  const begin = Number(match[1]);
  return { begin, end: Math.max(begin, Number(match[2] ?? begin)) };
}

export function placeOf(hash: string): Place {
  const text = hash.replace(/^#/, "");
  if (!text.startsWith("/")) return { view: "chat", id: decoded(text) };
  const [path = "", search = ""] = text.split("?", 2);
  const parameters = new URLSearchParams(search);
  const [, first = "", ...rest] = path.split("/");
  switch (first) {
    case "history":
      return { view: "history", id: decoded(rest.join("/")) };
    case "document": {
      const lines = linesOf(parameters.get("lines") ?? "");
      return { view: "document", id: parameters.get("id") ?? "", ...(lines && { lines }) };
    }
    case "upload":
      return { view: "upload" };
    case "versions":
      return { view: "versions" };
    case "feedback":
    case "golden":
      return { view: "review", of: first };
    default:
      return { view: "documents", filters: Object.fromEntries(parameters) };
  }
}

export function addressOf(place: Place): string {
  switch (place.view) {
    case "chat":
      return place.id && `#${encodeURIComponent(place.id)}`;
    case "history":
      return `#/history/${encodeURIComponent(place.id)}`;
    case "document": {
      const lines = place.lines && `${place.lines.begin}-${place.lines.end}`;
      return `#/document?${new URLSearchParams({ id: place.id, ...(lines && { lines }) }).toString()}`;
    }
    case "upload":
      return "#/upload";
    case "versions":
      return "#/versions";
    case "review":
      return `#/${place.of}`;
    case "documents": {
      const set = Object.entries(place.filters).filter(([, value]) => value);
      const search = new URLSearchParams(set).toString();
      return search ? `#/documents?${search}` : "#/documents";
    }
  }
}
