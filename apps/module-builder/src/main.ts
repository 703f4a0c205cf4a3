import { BUILD_ARGUMENT } from './build.process.js';

const [, program = '', argument] = process.argv;
// Each build is a process of this program and needs no part of the service.
if (argument === BUILD_ARGUMENT) await (await import('./build.child.js')).answerBuild();
else await (await import('./run-builder.js')).runBuilder(program);
