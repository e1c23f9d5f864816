import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { applyDisplay } from "./display";
import { openLanguage } from "./i18n";
import { openSession } from "./session";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/screens.css";

applyDisplay();
void openSession();
void openLanguage().finally(() => {
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});
