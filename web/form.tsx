import "./ui/styles/tokens.css";
import "./ui/styles/base.css";
import "./ui/styles/parts.css";
import "./ui/styles/content.css";
import "./features/forms/forms.css";
import { createRoot } from "react-dom/client";
import { FormPage } from "./features/forms/form-page.tsx";

const root = document.getElementById("root");
const slug = decodeURIComponent(location.pathname.split("/")[2] ?? "");
if (root !== null) createRoot(root).render(<FormPage slug={slug} />);
