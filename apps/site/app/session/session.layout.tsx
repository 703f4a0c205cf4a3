import { Outlet } from 'react-router';

/** Pages that need the visitor's wallet. */
export default function SessionLayout() {
  return <Outlet />;
}
