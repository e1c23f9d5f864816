import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, fetchRoom } from "./App";
import { applyDisplay } from "./display";
import { openLanguage } from "./i18n";
import { openSession } from "./session";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/screens.css";

openSession();
applyDisplay();
fetchRoom();
void openLanguage().finally(() => {
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});
