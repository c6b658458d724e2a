const LOOK_MS = 250;

/**
 * npm runs a script through a shell and hands a signal to that shell, which ends without handing it on: the service
 * would go on with nobody to stop it, and the next `npm start` would find its port and its folder taken. So the end of
 * the shell counts as the signal.
 */
export function stopWithParent() {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_MS);
  looking.unref();
}
