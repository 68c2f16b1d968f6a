import { definePlugin } from '@bylaw/core/plugin';

export default definePlugin({ name: 'finops' });
