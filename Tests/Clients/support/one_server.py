"""What is about one server alone, and is skipped where CALLBOARD_TEST_NODES makes three of each."""

import pytest

# The reason, and the tests: a file, or a function of a file.
KINDS = {
    "three processes cannot listen on one Unix-domain socket": [
        "test_curl_protocol::test_a_unix_domain_socket_is_listened_on",
    ],
    "it is about the journal in a data folder, and the commands for one; nodes keep theirs in a database": [
        "test_access_start::test_tokens_are_made_listed_and_revoked_without_a_server",
        "test_access_start::test_the_folder_of_a_running_server_is_left_alone",
        "test_operating_page::test_a_full_disk", "test_storage_outside", "test_exit_status",
    ],
    "a stream may come to a node that has not kept the view up while its source published": [
        "test_views_conformance_streams::test_every_id_is_resumed_as_at_the_director",
        "test_views_conformance_streams::test_several_are_followed_on_one_stream_as_directors_are",
    ],
    "a node lists and bounds its own instances": [
        "test_views_certificates::test_certificates_of_one_name_share_an_instance_and_are_bounded_together",
    ],
    "it reads the audit of the one process that it starts": ["test_audit", "test_rights"],
    "no server takes part in it": ["test_docs", "test_prove", "test_scripts", "test_system_libraries"],
    "it starts its servers by itself, one or nodes": [
        "test_client_node::test_the_client_in_node",
        "test_cluster", "test_cluster_front", "test_deploy", "test_deploy_monitoring", "test_several_nodes_page",
    ],
}


def skip(items: list[pytest.Item]) -> None:
    """Marks what is listed; fails where a function that is listed is not there any more."""
    modules = {item.module.__name__: item.module for item in items}
    reasons = {name: reason for reason, names in KINDS.items() for name in names}
    for name in reasons:
        file, _, function = name.partition("::")
        if function and file in modules and not hasattr(modules[file], function):
            raise pytest.UsageError(f"{__name__} lists {name}, which is not there")
    for item in items:
        file = item.module.__name__
        for name in (file, f"{file}::{item.originalname}"):
            if name in reasons:
                item.add_marker(pytest.mark.skip(reason=f"nodes: {reasons[name]}"))
