import { useEffect, useId, useRef, type ReactNode } from 'react';

const CONTROL =
  'mt-1 block min-h-11 w-full rounded-lg border bg-surface px-3 py-2 text-base text-ink aria-invalid:border-bad border-line-strong';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** The value of the page's address. A change of the address replaces what the reader typed. */
  readonly value: string;
  /** Says what the reader must change; null for a correct value. */
  readonly fault: string | null;
}

/** A text field of a form, with its label and its fault. */
export function TextField({ hint, maxLength, ...field }: FieldProps & { hint?: string; maxLength?: number }) {
  const [input, described, about] = useField<HTMLInputElement>(field, hint);
  return (
    <div>
      <label htmlFor={described.id} className="text-sm font-medium">
        {field.label}
      </label>
      <input
        {...described}
        ref={input}
        type="search"
        maxLength={maxLength}
        autoComplete="off"
        spellCheck={false}
        className={CONTROL}
      />
      {about}
    </div>
  );
}

/** A choice of a form. A value that is no option is shown as one, so that the reader sees what to change. */
export function SelectField({
  options,
  ...field
}: FieldProps & { options: readonly (readonly [value: string, name: string])[] }) {
  const [select, described, about] = useField<HTMLSelectElement>(field);
  const isKnown = options.some(([value]) => value === field.value);
  return (
    <div>
      <label htmlFor={described.id} className="text-sm font-medium">
        {field.label}
      </label>
      <select {...described} ref={select} className={CONTROL}>
        {!isKnown && <option value={field.value}>not an option</option>}
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {about}
    </div>
  );
}

function useField<Control extends HTMLInputElement | HTMLSelectElement>(
  { name, value, fault }: FieldProps,
  hint?: string,
) {
  const id = useId();
  const control = useRef<Control>(null);
  useEffect(() => {
    control.current!.value = value;
  }, [value]);
  const said: ReactNode = fault ?? hint;
  const described = {
    id,
    name,
    defaultValue: value,
    'aria-invalid': fault !== null,
    'aria-describedby': said === undefined ? undefined : `${id}-about`,
  };
  const about = said !== undefined && (
    <p id={`${id}-about`} className={`mt-1 text-sm ${fault === null ? 'text-muted' : 'font-medium text-bad'}`}>
      {said}
    </p>
  );
  return [control, described, about] as const;
}
