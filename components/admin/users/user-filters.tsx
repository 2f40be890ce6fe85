"use client";

import { useQueryStates } from "nuqs";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useMessages } from "../../i18n/provider";
import { SearchInput, Select } from "../../ui/field";
import { useAdminPlans } from "../queries";
import { userFilterParsers, userSorts } from "./user-filter-parsers";

const SEARCH_AFTER_MS = 250;

/** Search, status, role, plan and what is left; stored in the URL. */
export function UserFiltersBar(props: { children: ReactNode }) {
  const text = useMessages("adminUsers");
  const [url, setUrl] = useQueryStates(userFilterParsers);
  const plans = useAdminPlans().data?.data ?? [];
  const statuses = ["active", "suspended", "deleted"] as const;
  const roles = ["user", "admin"] as const;
  const quotas = ["low", "empty"] as const;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        value={url.search}
        label={text.search}
        onSearch={(search) => setUrl({ search: search || null, page: null })}
      />
      <Select
        className="sm:w-40"
        aria-label={text.status}
        value={url.status ?? ""}
        options={[
          { value: "", label: text.allStatuses },
          ...statuses.map((value) => ({ value, label: text.statuses[value] })),
        ]}
        onChange={(event) =>
          setUrl({ status: statuses.find((value) => value === event.target.value) ?? null, page: null })
        }
      />
      <Select
        className="sm:w-36"
        aria-label={text.role}
        value={url.role ?? ""}
        options={[
          { value: "", label: text.allRoles },
          ...roles.map((value) => ({ value, label: text.roles[value] })),
        ]}
        onChange={(event) =>
          setUrl({ role: roles.find((value) => value === event.target.value) ?? null, page: null })
        }
      />
      <Select
        className="sm:w-40"
        aria-label={text.plan}
        value={url.plan ?? ""}
        options={[
          { value: "", label: text.allPlans },
          ...plans.map((plan) => ({ value: String(plan.id), label: plan.name })),
        ]}
        onChange={(event) => setUrl({ plan: event.target.value || null, page: null })}
      />
      <Select
        className="sm:w-44"
        aria-label={text.leftFilter}
        value={url.quota ?? ""}
        options={[
          { value: "", label: text.anyQuota },
          ...quotas.map((value) => ({ value, label: text.quotaStates[value] })),
        ]}
        onChange={(event) =>
          setUrl({ quota: quotas.find((value) => value === event.target.value) ?? null, page: null })
        }
      />
      <PhoneSort />
      {props.children}
    </div>
  );
}

/** Cards have no heads to sort by. */
function PhoneSort() {
  const text = useMessages("adminUsers");
  const [url, setUrl] = useQueryStates(userFilterParsers);
  return (
    <Select
      className="md:hidden"
      aria-label={text.sort}
      value={url.sort}
      options={userSorts.map((value) => ({ value, label: text.sorts[value] }))}
      onChange={(event) =>
        setUrl({
          sort: userSorts.find((value) => value === event.target.value) ?? null,
          order: null,
          page: null,
        })
      }
    />
  );
}

/** Debounces typing, so that not every letter sends a request. */
function SearchBox(props: { value: string; label: string; onSearch: (value: string) => void }) {
  const [typed, setTyped] = useState(props.value);
  const { value, onSearch } = props;
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      onSearch(typed);
    }, SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, onSearch]);
  return <SearchInput className="sm:w-72" label={props.label} value={typed} onChange={setTyped} />;
}
