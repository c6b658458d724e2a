/** Nodes of one n8n workflow. The largest public ones have about 300. The page reads it without the schemas. */
export const MAX_N8N_NODES = 500;
