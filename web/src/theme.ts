// Light or dark: as the system has it, until somebody chooses.
import { createContext, useState } from "react";

export type Theme = "light" | "dark";
/** For what is drawn rather than styled. */
export const ThemeContext = createContext<Theme>("light");

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const kept = localStorage.getItem("theme");
    if (kept === "light" || kept === "dark") return kept;
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  });
  // Before what is drawn below takes its colours.
  document.documentElement.dataset.theme = theme;
  const other = theme === "light" ? "dark" : "light";
  return [
    theme,
    () => {
      localStorage.setItem("theme", other);
      setTheme(other);
    },
  ];
}
