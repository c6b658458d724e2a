/** "Fetch Orders", "fetchOrders" and "fetch_orders" become ids that are readable in a placeholder. */
export function uniqueSlug(text: string, used: Set<string>): string {
  const base =
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, "-")
      .slice(0, 60)
      .replaceAll(/^[-_]+|[-_]+$/g, "") || "step";
  let slug = base;
  for (let number = 2; used.has(slug); number++) slug = `${base}-${number}`;
  used.add(slug);
  return slug;
}
