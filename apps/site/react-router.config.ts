import type { Config } from '@react-router/dev/config';

export default { appDirectory: 'app', buildDirectory: 'dist', ssr: true } satisfies Config;
