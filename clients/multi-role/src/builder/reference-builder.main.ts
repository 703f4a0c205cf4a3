import { builderVoice } from '../numbers/builder-voice.js';
import { writeStderr } from '@launch/client-core/command';
import { runOffline } from '../offline/run-offline.js';
import { REFERENCE_BUILDER, runBuilder } from './reference-builder.cli.js';

const voice = builderVoice(process.stderr.isTTY, writeStderr);
await runOffline(REFERENCE_BUILDER, process.argv.slice(2), (argv) => runBuilder(argv, voice));
