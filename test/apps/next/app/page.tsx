// Rendered on the server: both entries are imported there.
import { FoveolaError } from 'foveola';
import 'foveola/elements';
import { Eye } from './eye';

export default function Page() {
  return (
    <main data-error={FoveolaError.name}>
      <Eye />
    </main>
  );
}
