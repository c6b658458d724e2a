import "./ui/styles/tokens.css";
import "./ui/styles/base.css";
import "./ui/styles/parts.css";
import "./ui/styles/content.css";
import "./features/chat/chat.css";
import { createRoot } from "react-dom/client";
import { ChatPage } from "./features/chat/chat-page.tsx";

const root = document.getElementById("root");
const slug = decodeURIComponent(location.pathname.split("/")[2] ?? "");
if (root !== null) createRoot(root).render(<ChatPage slug={slug} />);
