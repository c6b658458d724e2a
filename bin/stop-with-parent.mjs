const POLL_MS = 250;

/**
 * npm runs a script through a shell and sends signals to that shell, which exits without forwarding them. The service
 * would keep running, and the next `npm start` would find its port and data folder in use. So the exit of the shell
 * counts as SIGTERM.
 */
export function stopWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, POLL_MS);
  timer.unref();
}
