import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./ui/styles/tokens.css";
import "./ui/styles/base.css";
import "./ui/styles/shell.css";
import "./ui/styles/parts.css";
import "./ui/styles/content.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { expireSession, syncTabs } from "./api/accounts.ts";
import { ApiError, ContractError } from "./api/api-error.ts";
import { authToken } from "./api/auth-token.ts";
import { connection } from "./api/connection.ts";
import { App } from "./app.tsx";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // A service on the same machine is reachable without a network.
      networkMode: "always",
      retry: (count, error) => count < 2 && isTransient(error),
    },
    mutations: { networkMode: "always" },
  },
});
function isTransient(error: Error): boolean {
  if (error instanceof ApiError) return error.status === 0 || error.status >= 500;
  return !(error instanceof ContractError);
}

connection.onRestored(() => void client.invalidateQueries());
syncTabs(() => client.clear());
authToken.onExpired(() => {
  expireSession();
  client.clear();
});

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>,
  );
