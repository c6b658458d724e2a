import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./ui/styles/tokens.css";
import "./ui/styles/base.css";
import "./ui/styles/shell.css";
import "./ui/styles/parts.css";
import "./ui/styles/content.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { ApiError, login } from "./api/client.ts";
import { reach } from "./api/reach.ts";
import { expireLogin, followOtherTabs } from "./api/session.ts";
import { App } from "./app.tsx";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // Without a network the service may still be there, on this very machine.
      networkMode: "always",
      // A refusal stays a refusal; only a lost connection or a stumble of the service is worth another try.
      retry: (count, error) =>
        count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
    mutations: { networkMode: "always" },
  },
});
reach.whenBack(() => void client.invalidateQueries());
followOtherTabs(() => client.clear());
login.whenExpired(() => {
  expireLogin();
  client.clear();
});

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>,
  );
