import { Outlet } from 'react-router';
import { SessionProvider } from './session.js';

/** Pages that need the visitor's wallet. Other pages load none of this code. */
export default function SessionLayout() {
  return (
    <SessionProvider>
      <Outlet />
    </SessionProvider>
  );
}
