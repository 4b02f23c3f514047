import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: '../waymark/assets/studio',
    emptyOutDir: true,
    // The oldest browsers with light-dark() in CSS, which is then left as it is.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 1200,
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:4840', '/mcp': 'http://127.0.0.1:4840', '/healthz': 'http://127.0.0.1:4840' },
  },
});
