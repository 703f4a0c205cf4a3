import { builderVoice } from '../numbers/builder-voice.js';
import { writeStderr } from '@launch/client-core/command';
import { runOffline } from '../offline/run-offline.js';
import { runBuilder } from './reference-builder.cli.js';

await runOffline(() => runBuilder(process.argv.slice(2), builderVoice(process.stderr.isTTY, writeStderr)));
