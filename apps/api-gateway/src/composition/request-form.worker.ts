import { parentPort } from 'node:worker_threads';
import { customLaunchForm } from '../core/launches/custom-launch/custom-launch.form.js';
import { serveForms } from '../platform/request-forms/serve-forms.js';
import { moduleForm } from '../products/module-submissions/domain/module-form.js';
import { multiRoleForm } from '../products/multi-role/domain/request-form.js';
import { planForm } from '../products/plans/domain/plan-form.js';

if (parentPort === null) throw new TypeError('this module is a worker thread');
serveForms(parentPort, [multiRoleForm, customLaunchForm, planForm, moduleForm]);
