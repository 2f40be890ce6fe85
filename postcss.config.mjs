// biome-ignore lint/style/noDefaultExport: the form this tool reads
export default { plugins: { "@tailwindcss/postcss": {} } };
