/** The family of a request decides its form, rules, permit and router. Each API has one family. */
export const LAUNCH_FAMILIES = ['multi-role.v2', 'custom-launch.v4', 'plan.v1'] as const;
export type LaunchFamily = (typeof LAUNCH_FAMILIES)[number];

/** Custom launches and plans: strict JSON that names its context, router V1, a context with price feeds. */
export type CustomLaunchFamily = Exclude<LaunchFamily, 'multi-role.v2'>;

/** The default family, for inputs that name none. */
export const familyOf = ({ family }: { readonly family?: LaunchFamily | undefined }): LaunchFamily =>
  family ?? 'multi-role.v2';

export const isCustomLaunchFamily = (family: LaunchFamily | undefined): family is CustomLaunchFamily =>
  family === 'custom-launch.v4' || family === 'plan.v1';
