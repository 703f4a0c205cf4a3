export { launch } from './launch.schema';
