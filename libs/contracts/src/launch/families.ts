/** The families of launches; a request, a row or an input of a workflow that names none is of the first. */
export const LAUNCH_FAMILIES = ['multi-role.v2', 'custom-launch.v4', 'plan.v1'] as const;
export type LaunchFamily = (typeof LAUNCH_FAMILIES)[number];
